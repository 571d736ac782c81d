/** One fault of a 422 answer, as FastAPI words it (wire 0.1). */
export interface ValidationFault {
  type: string
  loc: (string | number)[]
  msg: string
  input: unknown
  ctx?: Record<string, unknown>
}

/** An answer that InvokeAI gives on purpose: a status and `{"detail": text}`. */
export class DetailAnswer extends Error {
  readonly status: number

  constructor(status: number, detail: string) {
    super(detail)
    this.status = status
  }
}

/** A 422. */
export class InvalidRequest extends Error {
  readonly faults: ValidationFault[]

  constructor(faults: ValidationFault[]) {
    super('invalid request')
    this.faults = faults
  }
}

export const notFound = (detail = 'Not Found') => new DetailAnswer(404, detail)
