import { StartError } from './start-error.ts'

/** Another running Tessera has the data folder. */
export class DataFolderHeldError extends StartError {
  /** Where its server can be reached; null: it does not listen, or not yet. */
  readonly address: string | null

  constructor(dataFolder: string, holder: { pid: number; address: string | null } | null) {
    super(
      holder?.address
        ? `Tessera is running already with the data folder ${dataFolder}: open ${holder.address}`
        : `The data folder ${dataFolder} is held by another running Tessera${holder ? ` (process ${holder.pid})` : ''}.`,
    )
    this.address = holder?.address ?? null
  }
}
