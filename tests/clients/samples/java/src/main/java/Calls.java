import com.example.countersign.ApiClient;
import com.example.countersign.ApiException;
import com.example.countersign.CreateVerification409Response;
import com.example.countersign.NewVerification;
import com.example.countersign.VerificationsApi;
import java.util.UUID;

public class Calls {
  public static void main(String[] args) throws Exception {
    var client = new ApiClient();
    client.updateBaseUri(System.getenv("BASE"));
    client.setRequestInterceptor(request -> request.header("X-API-Key", System.getenv("KEY")));
    var verifications = new VerificationsApi(client);

    var body = new NewVerification().subjectType(NewVerification.SubjectTypeEnum.KYC).subjectReference("user_java");
    var created = verifications.createVerification(body, UUID.randomUUID().toString()).getData();
    System.out.println("created " + created.getVerificationUrl());

    try {
      verifications.createVerification(body, UUID.randomUUID().toString());
    } catch (ApiException error) {
      if (error.getCode() != 409) throw error;
      var refused = client.getObjectMapper().readValue(error.getResponseBody(), CreateVerification409Response.class);
      System.out.println("refused " + refused.getCode() + " " + refused.getData().getVerificationId());
    }

    System.out.println("read " + verifications.getVerification(created.getId()).getData().getStatus());
    var page = verifications.listVerifications(1, 100, null, null, null, null, null).getData();
    for (var listed : page.getVerifications()) {
      var details = verifications.getVerificationDetails(listed.getId()).getData();
      System.out.println("details " + details.getStatus() + " " + details.getTotalSteps());
    }

    var withdrawn = verifications.withdrawVerification(created.getId(), null).getData();
    System.out.println("withdrawn " + withdrawn.getStatus());
  }
}
