package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import example.MessagingSandbox.Account;
import example.MessagingSandbox.SandboxException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(MessagingSandbox.class)
class OtpTest {
    static final String CUSTOMER = "+12025550123";

    @Test
    void aCodeIsGoodForFiveMinutes(Account account) {
        account.freeze();
        account.approveTemplate(Map.of("name", "login", "category", "authentication", "language", "en"));
        String id = account.call("POST", "/v1/otp/send", Map.of("to", CUSTOMER)).path("otp_id").asText();
        Map<String, String> attempt = Map.of("otp_id", id, "code", account.code(CUSTOMER));

        account.advance(Duration.ofMinutes(5));
        SandboxException late = assertThrows(SandboxException.class, () -> account.call("POST", "/v1/otp/verify", attempt));
        assertEquals(410, late.status);
        assertEquals("otp_expired", late.code);
    }

    @Test
    void aReplyNeedsAnOpenWindow(Account account) {
        account.freeze();
        Map<String, String> reply = Map.of("to", CUSTOMER, "type", "text", "text", "It has left.");
        account.says(CUSTOMER, "Where is my order?");
        account.call("POST", "/v1/messages", reply);

        account.advance(Duration.ofHours(24));
        assertThrows(SandboxException.class, () -> account.call("POST", "/v1/messages", reply));
        assertEquals("It has left.", account.messages(CUSTOMER).get(0).path("text").asText());
    }

    @Test
    void theScenarioIsPassed(Account account) {
        account.call("PUT", "/_sandbox/scenario", """
                version: 1
                expect:
                  - { at: finish, that: requests, where: { operation: template.create }, min: 1 }
                """);
        account.approveTemplate(Map.of("name", "hello", "category", "utility", "language", "en", "body", "Hello."));
        assertTrue(account.passed());
    }
}
