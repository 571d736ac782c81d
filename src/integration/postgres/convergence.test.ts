import { inject } from 'vitest'
import { testConvergence } from '#integration/convergence.ts'
import { createDatabase } from '#testing/engines/postgres-server.ts'
import { emptyStore } from '#testing/engines/s3-server.ts'

testConvergence(async () => {
  const databaseUrl = await createDatabase(inject('postgresUrl'))
  return { flags: ['--database', databaseUrl, '--files', emptyStore(inject('s3Url'))] }
})
