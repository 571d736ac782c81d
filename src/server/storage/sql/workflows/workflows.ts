import type { Read, Write } from '#server/storage/sql/unit-types.ts'

const summary = [
  'workflow_id',
  'name',
  'description',
  'category',
  'tags',
  'is_public',
  'created_at',
  'updated_at',
  'opened_at',
] as const

export const listWorkflows: Read<'workflows.list'> = async (db) => {
  const rows = await db.selectFrom('workflows').select(summary).orderBy('workflow_id').execute()
  return rows.map((row) => ({ ...row, is_public: row.is_public === 1 }))
}

export const getWorkflow: Read<'workflows.get'> = async (db, workflowId) => {
  const row = await db
    .selectFrom('workflows')
    .select([...summary, 'workflow'])
    .where('workflow_id', '=', workflowId)
    .executeTakeFirst()
  return row === undefined ? null : { ...row, is_public: row.is_public === 1 }
}

export const addWorkflow: Write<'workflows.add'> = async (db, now, workflow, { maxWorkflows }) => {
  const { count } = await db
    .selectFrom('workflows')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxWorkflows) return false
  const times = { created_at: now, updated_at: now, opened_at: null }
  await db
    .insertInto('workflows')
    .values({ ...workflow, ...times, is_public: 0 })
    .execute()
  return true
}

export const updateWorkflow: Write<'workflows.update'> = async (
  db,
  now,
  workflowId,
  { is_public, ...changes },
) => {
  const flag = is_public === undefined ? {} : { is_public: is_public ? (1 as const) : (0 as const) }
  const { numUpdatedRows } = await db
    .updateTable('workflows')
    .set({ ...changes, ...flag, updated_at: now })
    .where('workflow_id', '=', workflowId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const markWorkflowOpened: Write<'workflows.markOpened'> = async (db, now, workflowId) => {
  const { numUpdatedRows } = await db
    .updateTable('workflows')
    .set({ opened_at: now })
    .where('workflow_id', '=', workflowId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const removeWorkflow: Write<'workflows.remove'> = async (db, _now, workflowId) => {
  const { numDeletedRows } = await db
    .deleteFrom('workflows')
    .where('workflow_id', '=', workflowId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
