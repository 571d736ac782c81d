/** A stored workflow without its graph. Times are in milliseconds since 1970. */
export interface WorkflowSummary {
  workflow_id: string
  name: string
  description: string
  category: 'user' | 'default'
  /** Separated by commas. */
  tags: string
  is_public: boolean
  created_at: number
  updated_at: number
  opened_at: number | null
}

/** The texts of a workflow that lists show. */
export type WorkflowTexts = Pick<WorkflowSummary, 'name' | 'description' | 'category' | 'tags'>

export interface StoredWorkflow extends WorkflowSummary {
  /** JSON. */
  workflow: string
}

/** Workflows that clients store. There are few, so lists are filtered in memory. */
export interface WorkflowRecords {
  list(): Promise<WorkflowSummary[]>
  get(workflowId: string): Promise<StoredWorkflow | null>
  /** Returns false, without a change, if there are already `maxWorkflows`. */
  add(
    workflow: WorkflowTexts & Pick<StoredWorkflow, 'workflow_id' | 'workflow'>,
    bounds: { maxWorkflows: number },
  ): Promise<boolean>
  /** Returns false if there is no such workflow. */
  update(
    workflowId: string,
    changes: Partial<WorkflowTexts & Pick<StoredWorkflow, 'workflow' | 'is_public'>>,
  ): Promise<boolean>
  /** Returns false if there is no such workflow. */
  markOpened(workflowId: string): Promise<boolean>
  /** Returns false if there is no such workflow. */
  remove(workflowId: string): Promise<boolean>
}
