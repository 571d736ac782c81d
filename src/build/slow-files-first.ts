import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that run only with `npm test -- --all`. They install the package and start test runners, and only
 * changes of `src/build` and of the dependencies can break them.
 */
export const LONG_FILES = ['src/build/package.test.ts', 'src/build/run-tests.test.ts']

/** Files that take half a minute or more. If one of them started last, the other workers would be idle. */
export const SLOW_FILES = [
  'src/build/package.test.ts',
  'src/integration/kill.test.ts',
  'src/integration/queue-kill.test.ts',
  'src/integration/property.test.ts',
  'src/integration/import-kill.test.ts',
  'src/integration/export-kill.test.ts',
  'src/server/storage/sqlite/open-records.test.ts',
]

/** Starts the slow files before all others. (Vitest learns this order by itself, but not in a fresh clone.) */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) =>
      SLOW_FILES.some((file) => moduleId.endsWith(`/${file}`))
    const sorted = await super.sort(files)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}
