import java.io.FileOutputStream;
import java.nio.file.*;
import org.apache.jena.query.*;
import org.apache.jena.rdf.model.*;
import org.apache.jena.riot.*;

/** Loads a file once, then answers every query of a folder: NAME.rq gives NAME.json. */
public class Ask {
    public static void main(String[] given) throws Exception {
        Model model = RDFDataMgr.loadModel(given[0]);
        try (DirectoryStream<Path> queries = Files.newDirectoryStream(Path.of(given[1]), "*.rq")) {
            for (Path path : queries) {
                Query query = QueryFactory.create(Files.readString(path));
                String name = path.getFileName().toString().replace(".rq", ".json");
                try (QueryExecution execution = QueryExecutionFactory.create(query, model);
                     FileOutputStream out = new FileOutputStream(Path.of(given[2], name).toFile())) {
                    ResultSetFormatter.outputAsJSON(out, execution.execSelect());
                }
            }
        }
    }
}
