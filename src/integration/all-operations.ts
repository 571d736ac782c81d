import * as boards from '#contract/board-operations.ts'
import * as downloads from '#contract/downloads/download-operations.ts'
import * as gallery from '#contract/gallery-operations.ts'
import * as images from '#contract/image-operations.ts'
import * as imports from '#contract/import-operations.ts'
import * as duplicates from '#contract/likeness/duplicates.ts'
import * as modelCache from '#contract/models/model-cache-operations.ts'
import * as models from '#contract/models/model-operations.ts'
import type { Operation } from '#contract/operation.ts'
import * as queueCache from '#contract/queue/queue-cache-operations.ts'
import * as queue from '#contract/queue/queue-operations.ts'
import * as searches from '#contract/search/saved-searches.ts'
import * as tags from '#contract/search/tags.ts'
import * as app from '#contract/server/app-operations.ts'
import * as changes from '#contract/server/change-operations.ts'
import * as clientState from '#contract/server/client-state-operations.ts'
import * as health from '#contract/server/health-operations.ts'
import * as unserved from '#contract/server/unserved-operations.ts'
import * as workflows from '#contract/server/workflow-operations.ts'
import * as trash from '#contract/trash-operations.ts'
import * as resumable from '#contract/uploads/resumable-upload-operations.ts'
import * as uploads from '#contract/uploads/upload-operations.ts'
import * as videos from '#contract/videos/video-operations.ts'

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'operationId' in value

/** All operations of the contract, collected from the modules so that no list can miss one. */
export const operations: readonly Operation[] = [
  app,
  boards,
  changes,
  clientState,
  downloads,
  duplicates,
  gallery,
  health,
  images,
  imports,
  models,
  modelCache,
  queue,
  queueCache,
  resumable,
  searches,
  tags,
  trash,
  unserved,
  uploads,
  videos,
  workflows,
]
  .flatMap((file): unknown[] => Object.values(file))
  .concat([...unserved.unservedOperations.keys()])
  .filter(isOperation)
