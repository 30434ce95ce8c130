import com.example.countersign.ApiClient;
import com.example.countersign.VerificationWebhook;
import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.net.http.HttpHeaders;
import java.util.Optional;

public class Receiver {
  /**
   * Verifies the raw body of a webhook.
   *
   * @return empty for a test and for types of later versions
   * @throws WebhookVerificationException answer it with 400
   */
  public static Optional<VerificationWebhook> receive(HttpHeaders headers, String body, String secret) throws Exception {
    new Webhook(secret).verify(body, headers);
    var mapper = new ApiClient().getObjectMapper();
    var type = VerificationWebhook.TypeEnum.fromValue(mapper.readTree(body).path("type").asText());
    if (type == VerificationWebhook.TypeEnum.UNKNOWN_DEFAULT_OPEN_API) return Optional.empty();
    return Optional.of(mapper.readValue(body, VerificationWebhook.class));
  }
}
