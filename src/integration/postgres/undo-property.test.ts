import { inject } from 'vitest'
import { testUndoOfRandomActions } from '#integration/undo-property.ts'
import { createDatabase } from '#testing/engines/postgres-server.ts'

testUndoOfRandomActions(async () => ({ databaseUrl: await createDatabase(inject('postgresUrl')) }))
