import com.fasterxml.jackson.databind.ObjectMapper;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Passes the webhook of the environment to the sample, then one with another body. */
public class CheckWebhook {
  public static void main(String[] args) throws Exception {
    Map<String, String> sent = new ObjectMapper().readValue(System.getenv("HEADERS"), Map.class);
    var lists = sent.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, entry -> List.of(entry.getValue())));
    var headers = HttpHeaders.of(lists, (name, value) -> true);
    var body = System.getenv("BODY");
    var secret = System.getenv("SECRET");
    var event = Receiver.receive(headers, body, secret).orElseThrow();
    System.out.println("received " + event.getType() + " " + event.getData().getVerificationId());
    try {
      Receiver.receive(headers, body + " ", secret);
    } catch (WebhookVerificationException error) {
      System.out.println("forged");
    }
  }
}
