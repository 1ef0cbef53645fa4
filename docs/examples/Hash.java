import java.net.URI;
import java.net.http.*;

public class Hash {
  public static void main(String[] args) throws Exception {
    var client = HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .build();
    var request = HttpRequest.newBuilder(URI.create("http://localhost:8000/api/hash"))
        .POST(HttpRequest.BodyPublishers.ofString("{\"algorithm\": \"sha1\", \"input\": \"abc\"}"))
        .build();
    var response = client.send(request, HttpResponse.BodyHandlers.ofString());
    System.out.println(response.body().split("\"")[3]);
  }
}
