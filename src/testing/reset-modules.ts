import { vi } from 'vitest'

// The page keeps state in modules. Each test file loads them again in a process that it shares with others.
vi.resetModules()
