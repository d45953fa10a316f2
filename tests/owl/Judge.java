import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.semanticweb.HermiT.ReasonerFactory;
import org.semanticweb.owlapi.apibinding.OWLManager;
import org.semanticweb.owlapi.formats.TurtleDocumentFormat;
import org.semanticweb.owlapi.io.FileDocumentSource;
import org.semanticweb.owlapi.io.RDFParserMetaData;
import org.semanticweb.owlapi.model.OWLClass;
import org.semanticweb.owlapi.model.OWLOntology;
import org.semanticweb.owlapi.profiles.OWLProfileViolation;
import org.semanticweb.owlapi.profiles.Profiles;
import org.semanticweb.owlapi.reasoner.OWLReasoner;

/**
 * Judges ontologies with the OWL API and HermiT, for test_owl.py; run as a source file, without compiling first.
 *
 * <p>Arguments: a file for the answer, then pairs of a task and an ontology. Task "profile" says what lies outside OWL 2 DL and OWL 2 RL
 * and which triples are no OWL; task "classify" says whether the ontology is consistent and which individuals are in each class that
 * holds the clauses' conditions. The answer has one finding a line: ontology, what, and the finding, separated by tabs.
 */
public final class Judge {
  private static final String FIRES = "/id/fires/";
  private static final List<String> answer = new ArrayList<>();

  public static void main(String[] args) throws Exception {
    for (int i = 1; i < args.length; i += 2) {
      // N-Triples are Turtle; told so, the OWL API need not try its other parsers first.
      FileDocumentSource source = new FileDocumentSource(new File(args[i + 1]), new TurtleDocumentFormat());
      OWLOntology ontology = OWLManager.createOWLOntologyManager().loadOntologyFromOntologyDocument(source);
      if (args[i].equals("profile")) {
        profile(args[i + 1], ontology);
      } else {
        classify(args[i + 1], ontology);
      }
    }
    Files.write(Path.of(args[0]), answer);
  }

  private static void say(String file, String what, Object finding) {
    answer.add(file + "\t" + what + "\t" + finding.toString().replaceAll("\\s+", " "));
  }

  private static void profile(String file, OWLOntology ontology) {
    say(file, "axioms", ontology.getAxiomCount());
    RDFParserMetaData parsed = (RDFParserMetaData) ontology.getFormat().getOntologyLoaderMetaData().orElseThrow();
    say(file, "triples", parsed.getTripleCount());
    parsed.getUnparsedTriples().forEach(t -> say(file, "no OWL", t));
    for (Profiles profile : new Profiles[] {Profiles.OWL2_DL, Profiles.OWL2_RL}) {
      for (OWLProfileViolation v : profile.checkOntology(ontology).getViolations()) {
        say(file, profile.name(), v.getClass().getSimpleName() + ": " + v);
      }
    }
  }

  private static void classify(String file, OWLOntology ontology) {
    OWLReasoner reasoner = new ReasonerFactory().createReasoner(ontology);
    say(file, "consistent", reasoner.isConsistent());
    if (reasoner.isConsistent()) {
      for (OWLClass c : new TreeSet<>(ontology.getClassesInSignature())) {
        if (c.getIRI().toString().contains(FIRES)) {
          reasoner.getInstances(c, false).entities().forEach(x -> say(file, "instance", c.getIRI() + " " + x.getIRI()));
        }
      }
    }
    reasoner.dispose();
  }
}
