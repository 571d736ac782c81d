/** Memoizes the last call of a function: the same two arguments return the same result. */
export function memoizeLast<First, Second, Result>(
  work: (first: First, second: Second) => Result,
): (first: First, second: Second) => Result {
  let last: { first: First; second: Second; result: Result } | null = null
  return (first, second) => {
    if (last?.first !== first || last.second !== second) {
      last = { first, second, result: work(first, second) }
    }
    return last.result
  }
}
