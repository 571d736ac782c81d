/** One validation fault of a 422 answer in FastAPI's format. */
export interface ValidationFault {
  type: string
  loc: (string | number)[]
  msg: string
  input: unknown
  ctx?: Record<string, unknown>
}

/** An intentional error answer: a status and `{"detail": text}`. */
export class DetailAnswer extends Error {
  readonly status: number

  constructor(status: number, detail: string) {
    super(detail)
    this.status = status
  }
}

/** A 422 answer. */
export class InvalidRequest extends Error {
  readonly faults: ValidationFault[]

  constructor(faults: ValidationFault[]) {
    super('invalid request')
    this.faults = faults
  }
}

export const notFound = (detail = 'Not Found') => new DetailAnswer(404, detail)
