/** Why the server cannot start, in one line for the person who started it. */
export class StartError extends Error {
  override readonly name = 'StartError'
  /** 2: the flags are wrong. 1: everything else. */
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 1, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}
