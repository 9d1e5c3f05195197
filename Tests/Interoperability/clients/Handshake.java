import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * TLS handshakes by JSSE. Each input line is a port of loopback, the host to verify and a PKCS#12 truststore, separated by
 * tabs; each output line is "accepted" or what was wrong.
 */
public final class Handshake {
    public static void main(String[] arguments) throws Exception {
        var input = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = input.readLine()) != null; ) {
            String[] parts = line.split("\t");
            try {
                shake(Integer.parseInt(parts[0]), parts[1], parts[2]);
                System.out.println("accepted");
            } catch (Exception error) {
                System.out.println("refused: " + error.toString().replace('\n', ' '));
            }
        }
    }

    private static void shake(int port, String host, String file) throws Exception {
        var store = KeyStore.getInstance("PKCS12");
        try (var input = new FileInputStream(file)) {
            store.load(input, "changeit".toCharArray());
        }
        var managers = TrustManagerFactory.getInstance("PKIX");
        managers.init(store);
        var context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        try (var plain = new Socket("127.0.0.1", port);
                var socket = (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, true)) {
            var parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
            socket.setSoTimeout(120_000);
            socket.startHandshake();
        }
    }
}
