/**
 * Two words as one text, made once for each pair: a text that is put together anew has to be made whole and hashed before
 * anything is found by it.
 *
 * @param between what stands between the words. @returns of two words, each one of a few, the text of both
 */
export function pairText(between: string): (first: string, second: string) => string {
  const made = new Map<string, Map<string, string>>();
  return (first, second) => {
    let ofFirst = made.get(first);
    if (!ofFirst) made.set(first, (ofFirst = new Map<string, string>()));
    let text = ofFirst.get(second);
    if (text === undefined) ofFirst.set(second, (text = first + between + second));
    return text;
  };
}
