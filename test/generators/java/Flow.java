import com.google.gson.Gson;
import com.google.gson.JsonSerializer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.JSON;
import org.openapitools.client.api.MessagesApi;
import org.openapitools.client.api.TemplatesApi;
import org.openapitools.client.model.*;

/** Plays the flow of test/generators/support.ts with the client that openapi-generator makes. */
public class Flow {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("MESSAGING_BASE_URL"));
    client.setBearerToken(System.getenv("MESSAGING_API_KEY"));
    // The generated serializer of a choice between a text and a list fails for the list (a defect of the generator).
    Gson plain = new Gson();
    JsonSerializer<TemplateRecipients> recipients = (to, type, context) -> plain.toJsonTree(to.getActualInstance());
    JSON.setGson(JSON.getGson().newBuilder().registerTypeAdapter(TemplateRecipients.class, recipients).create());
    MessagesApi messages = new MessagesApi(client);
    TemplatesApi templates = new TemplatesApi(client);

    TemplateSubmission submitted = templates.createTemplate(new CreateTemplateRequest()
        .name("made_by_java").category(TemplateCategory.UTILITY).language("en").body("Hello {{1}}"));
    Template template = templates.getTemplate(submitted.getTemplateId());

    MessageAccepted single = messages.sendMessage(order("+12025550101")).getMessageAccepted();
    messages.getMessage(single.getMessageId());
    BatchResult batch = messages.sendMessage(order(List.of("+12025550102", "555"))).getBatchResult();

    String rejected = null;
    try {
      messages.sendMessage(new SendMessageRequest(new TextMessage()
          .to("+12025550199").type(TextMessage.TypeEnum.TEXT).text("Hello")));
    } catch (ApiException error) {
      rejected = ErrorResponse.fromJson(error.getResponseBody()).getError().getCode();
    }

    MessageStatusEvent event = WebhookEvent.fromJson(System.getenv("EVENT")).getMessageStatusEvent();

    Map<String, Object> read = new LinkedHashMap<>();
    read.put("submitted", submitted.getStatus().getValue());
    read.put("template", template.getStatus().getValue());
    read.put("accepted", single.getStatus().getValue());
    read.put("batch", batch.getStatus().getValue());
    read.put("failed", batch.getResults().get(1).getError().getCode());
    read.put("rejected", rejected);
    read.put("event", event.getType().getValue());
    read.put("status", event.getData().getStatus().getValue());
    System.out.println(new Gson().toJson(read));
    System.exit(0);
  }

  private static SendMessageRequest order(Object to) {
    return new SendMessageRequest(new TemplateMessage()
        .to(new TemplateRecipients(to))
        .type(TemplateMessage.TypeEnum.TEMPLATE)
        .template(new TemplateReference().name("order_shipped").language("en").variables(List.of("42"))));
  }
}
