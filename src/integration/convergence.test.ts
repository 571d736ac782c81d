import { testConvergence } from './convergence.ts'

testConvergence(async () => ({}))
