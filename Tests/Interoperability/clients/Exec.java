import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** Knows nothing of a proxy or a CA: whatever the machine's own options say. Arguments: addresses to get. */
public final class Exec {
    public static void main(String[] addresses) throws Exception {
        for (String address : addresses) {
            var connection = (HttpURLConnection) URI.create(address + "?by=url").toURL().openConnection();
            connection.getInputStream().readAllBytes();
            var request = HttpRequest.newBuilder(URI.create(address + "?by=client")).build();
            int status = HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode();
            System.out.println(connection.getResponseCode() + " " + status);
        }
    }
}
