import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Requests by java.net.http.HttpClient, all through one client and so with its pool of connections. Arguments: the proxy's
 * host and port. Each input line is a request, each output line its answer: fields separated by tabs, each in Base64.
 */
public final class Client {
    public static void main(String[] arguments) throws Exception {
        var client = HttpClient.newBuilder()
            .proxy(ProxySelector.of(new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]))))
            .connectTimeout(Duration.ofSeconds(120))
            .build();
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line; (line = input.readLine()) != null; ) {
            String answer;
            try {
                answer = exchange(client, line.split("\t", -1));
            } catch (Exception error) {
                answer = "error\t" + encode(error.toString().getBytes(StandardCharsets.UTF_8));
            }
            System.out.println(answer);
        }
    }

    private static String exchange(HttpClient client, String[] parts) throws Exception {
        String method = text(parts[0]);
        byte[] body = Base64.getDecoder().decode(parts[3]);
        String options = text(parts[4]);
        var request = HttpRequest.newBuilder(URI.create(text(parts[1]))).timeout(Duration.ofSeconds(120));
        for (String field : text(parts[2]).split("\n")) {
            if (!field.isEmpty()) {
                int colon = field.indexOf(':');
                request.header(field.substring(0, colon), field.substring(colon + 1).trim());
            }
        }
        if (options.contains("continue")) request.expectContinue(true);
        var publisher = !options.contains("body") ? BodyPublishers.noBody()
            : options.contains("chunked") ? BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body))
            : BodyPublishers.ofByteArray(body);
        HttpResponse<byte[]> response = client.send(request.method(method, publisher).build(), BodyHandlers.ofByteArray());
        List<String> fields = new ArrayList<>();
        response.headers().map().forEach((name, values) -> values.forEach(value -> fields.add(name + ":" + value)));
        return response.statusCode() + "\t" + encode(String.join("\n", fields).getBytes(StandardCharsets.UTF_8))
            + "\t" + encode(response.body());
    }

    private static String text(String encoded) {
        return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
    }

    private static String encode(byte[] data) {
        return Base64.getEncoder().encodeToString(data);
    }
}
