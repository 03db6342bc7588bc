package example;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;

/**
 * A JUnit 5 extension for messaging-sandbox, in one file to copy. A test with a parameter of type {@link Account} receives
 * an isolated account with its own key, so tests can run in parallel. One sandbox serves the run: the sandbox at
 * MESSAGING_BASE_URL, or a container of the image that SANDBOX_IMAGE names. A failed test prints the end of its journal
 * and the verdict of its scenario.
 */
public final class MessagingSandbox implements ParameterResolver, AfterTestExecutionCallback {
    private static final Namespace NAMESPACE = Namespace.create(MessagingSandbox.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Account.class;
    }

    @Override
    public Account resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Server server = context.getRoot().getStore(NAMESPACE).getOrComputeIfAbsent("server", key -> Server.open(), Server.class);
        return context.getStore(NAMESPACE).getOrComputeIfAbsent("account", key -> {
            String name = context.getRequiredTestClass().getSimpleName() + "-" + context.getRequiredTestMethod().getName();
            return new Account(server.url(), name + "-" + UUID.randomUUID());
        }, Account.class);
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        Account account = context.getStore(NAMESPACE).get("account", Account.class);
        if (account == null) return;
        if (context.getExecutionException().isPresent()) System.err.println(account.report());
        else account.delete();
    }

    /** The sandbox of the run. JUnit closes it when the last test is over. */
    private record Server(String url, GenericContainer<?> container) implements AutoCloseable {
        static Server open() {
            String url = System.getenv("MESSAGING_BASE_URL");
            if (url != null) return new Server(url, null);
            String image = System.getenv().getOrDefault("SANDBOX_IMAGE", "messaging-sandbox");
            GenericContainer<?> container = new GenericContainer<>(image)
                    .withExposedPorts(4242)
                    // Webhooks to https://host.docker.internal:PORT reach the process of the tests.
                    .withExtraHost("host.docker.internal", "host-gateway")
                    .waitingFor(Wait.forHttp("/readyz").forPort(4242));
            container.start();
            return new Server("http://" + container.getHost() + ":" + container.getMappedPort(4242), container);
        }

        @Override
        public void close() {
            if (container != null) container.stop();
        }
    }

    /** A failed call, with the code of the sandbox and the HTTP status. */
    public static final class SandboxException extends RuntimeException {
        public final int status;
        public final String code;

        SandboxException(int status, String code, String message) {
            super(code + " (" + status + "): " + message);
            this.status = status;
            this.code = code;
        }
    }

    /** The account of one API key. Give url and key to the application under test. */
    public record Account(String url, String key) {
        private static final HttpClient HTTP = HttpClient.newHttpClient();
        private static final ObjectMapper JSON = new ObjectMapper();

        /** Calls the API or the control plane. A body that is a string is YAML; null means no body. */
        public JsonNode call(String method, String path, Object body) {
            try {
                HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path)).header("Authorization", "Bearer " + key);
                if (body != null) request.header("Content-Type", body instanceof String ? "application/yaml" : "application/json");
                String content = body == null ? "" : body instanceof String text ? text : JSON.writeValueAsString(body);
                request.method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(content));
                var response = HTTP.send(request.build(), BodyHandlers.ofString());
                JsonNode answer = response.body().isEmpty() ? JSON.nullNode() : JSON.readTree(response.body());
                if (response.statusCode() < 300) return answer;
                JsonNode error = answer.path("error");
                throw new SandboxException(response.statusCode(), error.path("code").asText(), error.path("message").asText());
            } catch (IOException error) {
                throw new SandboxException(0, "unreachable", method + " " + url + path + ": " + error);
            } catch (InterruptedException error) {
                Thread.currentThread().interrupt();
                throw new SandboxException(0, "interrupted", method + " " + url + path);
            }
        }

        public Instant now() {
            return Instant.parse(call("GET", "/_sandbox/clock", null).path("now").asText());
        }

        /** Stops the clock, so that only advance moves it. */
        public void freeze() {
            call("PUT", "/_sandbox/clock", Map.of("mode", "frozen"));
        }

        /** Advances the clock, and returns when all due jobs and the webhook responses have finished. */
        public void advance(Duration by) {
            call("POST", "/_sandbox/clock/advance", Map.of("by", by.toMillis() + "ms"));
        }

        /** Writes as a customer, which opens the window of 24 hours. */
        public JsonNode says(String phone, String text) {
            return call("POST", "/_sandbox/inbound", Map.of("from", phone, "text", text));
        }

        /** Submits a template, as the application would, and approves it as the platform owner. */
        public void approveTemplate(Map<String, ?> template) {
            String id = call("POST", "/v1/templates", template).path("template_id").asText();
            call("POST", "/_sandbox/templates/" + id + "/review", Map.of("decision", "approved"));
        }

        /** Returns the latest one-time code sent to a number. */
        public String code(String to) {
            return items("/_sandbox/otps?order=desc&limit=1&to=" + encoded(to)).get(0).path("code").asText();
        }

        /** Returns what the account sent to a number. */
        public List<JsonNode> messages(String to) {
            return items("/_sandbox/messages?to=" + encoded(to));
        }

        /** Returns true if all checks of the active scenario passed. */
        public boolean passed() {
            return call("GET", "/_sandbox/verdict", null).path("passed").asBoolean();
        }

        /** Returns the first page of a list. */
        public List<JsonNode> items(String path) {
            List<JsonNode> items = new ArrayList<>();
            call("GET", path, null).path("items").forEach(items::add);
            return items;
        }

        private void delete() {
            call("DELETE", "/_sandbox/accounts/" + encoded(key), null);
        }

        private String report() {
            List<JsonNode> calls = items("/_sandbox/requests?order=desc&limit=10");
            Collections.reverse(calls);
            StringBuilder text = new StringBuilder("sandbox account " + key);
            for (JsonNode call : calls) {
                text.append("\n%s %s %s %s".formatted(
                        call.path("method").asText(), call.path("path").asText(), call.path("status"), call.path("error").asText()));
            }
            try {
                call("GET", "/_sandbox/verdict", null).path("checks").forEach(check -> text.append("\n").append(check));
            } catch (SandboxException noScenario) {
                // Without a scenario there is no verdict.
            }
            return text.toString();
        }

        private static String encoded(String text) {
            return URLEncoder.encode(text, StandardCharsets.UTF_8);
        }
    }
}
