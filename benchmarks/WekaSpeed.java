import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Random;
import weka.classifiers.Classifier;
import weka.classifiers.Evaluation;
import weka.core.Instances;
import weka.core.Utils;
import weka.core.converters.ConverterUtils.DataSource;

/** Fits per second of Weka's learners: k-fold cross-validation as its Experimenter deals folds, run after run.
 *
 *  Arguments: folds, runs, repeats, then pairs of an ARFF file and a classifier's name. Prints, for each pair, the
 *  least processor time of the repeats in microseconds per fit, and how many instances were classified correctly. */
public class WekaSpeed {
  public static void main(String[] given) throws Exception {
    ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    int folds = Integer.parseInt(given[0]), runs = Integer.parseInt(given[1]), repeats = Integer.parseInt(given[2]);
    for (int at = 3; at + 1 < given.length; at += 2) {
      Instances data = DataSource.read(given[at]);
      data.setClassIndex(data.numAttributes() - 1);
      long best = Long.MAX_VALUE;
      double correct = 0;
      for (int repeat = 0; repeat < repeats; repeat++) {
        correct = 0;
        long begin = clock.getCurrentThreadCpuTime();
        for (int run = 1; run <= runs; run++) {
          Random random = new Random(run);
          Instances shuffled = new Instances(data);
          shuffled.randomize(random);
          if (shuffled.classAttribute().isNominal()) shuffled.stratify(folds);
          for (int fold = 0; fold < folds; fold++) {
            Instances train = shuffled.trainCV(folds, fold), test = shuffled.testCV(folds, fold);
            Classifier learner = (Classifier) Utils.forName(Classifier.class, given[at + 1], null);
            learner.buildClassifier(train);
            Evaluation evaluation = new Evaluation(train);
            evaluation.evaluateModel(learner, test);
            correct += evaluation.correct();
          }
        }
        best = Math.min(best, clock.getCurrentThreadCpuTime() - begin);
      }
      System.out.println(given[at] + "\t" + given[at + 1] + "\t" + best / 1e3 / (folds * runs) + "\t" + (long) correct);
    }
  }
}
