import { findings } from '#server/core/findings.ts'
import { FaultList } from '#server/http/validation/fault-list.ts'
import { ValidationFailure } from '#server/http/validation/validation-failure.ts'

/** What an upload without any `file` part is answered, a form or not (wire 2.2). */
export const missingFile = (): ValidationFailure => {
  const found = new FaultList()
  found.add(findings.missing, ['body', 'file'], null)
  return new ValidationFailure(found.all)
}
