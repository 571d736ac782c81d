import type { Upload, UploadStatus } from '#gallery/uploads/upload.ts'

const rank: Readonly<Record<UploadStatus, number>> = {
  failed: 0,
  known: 1,
  processing: 2,
  sending: 2,
  waiting: 3,
  done: 4,
  cancelled: 5,
}

/** What needs a person first, then what moves, then what waits; those of a kind as they were added. */
export const inTrayOrder = (uploads: readonly Upload[]): readonly Upload[] =>
  uploads.toSorted((a, b) => rank[a.status] - rank[b.status])
