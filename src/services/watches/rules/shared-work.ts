import { Failure } from "../../../contract/failures.js";
import type {
  DatasetAt,
  Evaluation,
  StoredAnswer,
  StoredAnswers,
  StoredQuestion,
} from "../../../contract/stored-answers.js";
import type { LoopTurns } from "../../../kit/loop-turns.js";
import { type ContentMemory, contentMemory } from "./evaluation/content-memory.js";
import type { Watched } from "./watch-step.js";

/** Maximum number of answers cached for other watches with the same call. */
const ANSWERS_MAX = 16;
/** Maximum number of expression results cached; each has at most 256 KB. */
const RESULTS_MAX = 128;

/** Answers and results shared by watches with equal calls and conditions. */
export interface SharedWork {
  /** Returns the answers of a call for the evaluation of one watch. */
  watchedBy(question: StoredQuestion): Watched;
}

export interface SharedWorkOptions {
  readonly turns: LoopTurns;
  readonly signal?: AbortSignal;
  /** Called before a generation is read from the store. May throw to stop the work. */
  readonly onRead?: () => void;
  /** Cached contents from earlier evaluations. */
  readonly contents?: ContentMemory;
}

export function sharedWork(answers: StoredAnswers, options: SharedWorkOptions): SharedWork {
  const { turns, signal, onRead, contents = contentMemory() } = options;
  const answerMemo = memo<Answered>(ANSWERS_MAX);
  const resultMemo = memo<Evaluation>(RESULTS_MAX);
  const numberOf = numbering();
  const atEvaluation = signal === undefined ? {} : { signal };
  return {
    watchedBy: (question) => ({
      turns,
      answer: (standings, at) =>
        answerMemo(keyOf(question, standings, at), () => answered(answers.answer(question, standings, at, onRead))),
      content: (standings, at, expressions, compute) =>
        contents.contentOf(`${keyOf(question, standings, at)}\n${expressions}`, compute),
      evaluate(expression, value, evaluation = {}) {
        const evaluate = (): Promise<Evaluation> =>
          answers.evaluate(expression, value, { ...atEvaluation, ...evaluation });
        // Results for scalars are not cached, because they are cheap to compute. Metered evaluations (`onWork`) are not
        // cached, because a cached result would report no work.
        if (typeof value !== "object" || value === null || evaluation.onWork) return evaluate();
        return resultMemo(`${numberOf(value)} ${expression}`, evaluate);
      },
    }),
  };
}

type Answered = Awaited<ReturnType<Watched["answer"]>>;

/** Returns the answer, or the operation's reason for rejecting the call. */
async function answered(answer: Promise<StoredAnswer | undefined>): Promise<Answered> {
  try {
    return await answer;
  } catch (error) {
    // Only a rejection of the call is an answer. Other failures are temporary faults of the service or its store.
    if (error instanceof Failure && error.status < 500) return { error: error.meaning };
    throw error;
  }
}

/** Returns the key under which an answer is cached. Answers with equal keys are equal. */
function keyOf({ key, dependsOnTime }: StoredQuestion, standings: readonly DatasetAt[], at: number): string {
  const generations = standings.map(({ dataset, generation, state }) => `${dataset} ${generation} ${state}`);
  return [key, dependsOnTime ? at : "", ...generations].join("\n");
}

/** Caches the values of the most recently used keys. A failure is not cached. */
function memo<T>(keysMax: number): (key: string, compute: () => Promise<T>) => Promise<T> {
  const values = new Map<string, Promise<T>>();
  return (key, compute) => {
    const value = values.get(key) ?? compute();
    values.delete(key);
    values.set(key, value);
    value.catch(() => values.delete(key));
    const [oldest] = values.keys();
    if (values.size > keysMax && oldest !== undefined) values.delete(oldest);
    return value;
  };
}

/** Assigns numbers to objects by identity, without keeping the objects in memory. */
function numbering(): (value: object) => number {
  const numbers = new WeakMap<object, number>();
  let last = 0;
  return (value) => {
    const number = numbers.get(value) ?? ++last;
    numbers.set(value, number);
    return number;
  };
}
