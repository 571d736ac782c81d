import { testUndoOfRandomActions } from './undo-property.ts'

testUndoOfRandomActions(async () => ({}))
