/**
 * A function that remembers its last answers by key: one version is asked about again for each of
 * its candidates. The answer that was not asked for longest gives way.
 */
export function remembered<Question, Answer>(
  most: number,
  keyOf: (question: Question) => string,
  answer: (question: Question) => Answer,
): (question: Question) => Answer {
  const answers = new Map<string, Answer>();
  return (question) => {
    const key = keyOf(question);
    const known = answers.get(key);
    const given = known === undefined ? answer(question) : known;
    answers.delete(key);
    answers.set(key, given);
    const [oldest] = answers.keys();
    if (answers.size > most && oldest !== undefined) answers.delete(oldest);
    return given;
  };
}
