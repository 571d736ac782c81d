/** Orders places of iterations: outer before inner, then by index. */
export const comparePaths = (a: readonly number[], b: readonly number[]): number => {
  for (const [index, step] of a.entries()) {
    const other = b[index]
    if (other === undefined) return 1
    if (step !== other) return step - other
  }
  return a.length - b.length
}
