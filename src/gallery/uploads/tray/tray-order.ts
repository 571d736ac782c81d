import type { Upload, UploadStatus } from '#gallery/api/uploads/upload.ts'

const rank: Readonly<Record<UploadStatus, number>> = {
  failed: 0,
  known: 1,
  processing: 2,
  sending: 2,
  waiting: 3,
  done: 4,
  cancelled: 5,
}

/** Sorts uploads: those that need the user, then active, waiting and settled ones. */
export const inTrayOrder = (uploads: readonly Upload[]): readonly Upload[] =>
  uploads.toSorted((a, b) => rank[a.status] - rank[b.status])
