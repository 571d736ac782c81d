import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  Extractor,
  ExtractorConfig,
  ExtractorLogLevel,
  type IConfigFile,
} from '@microsoft/api-extractor'
import { projectRoot } from './project-root.ts'

/** Folder of the declarations that `tsc -b` writes for each project. */
export const emittedTypes = join(projectRoot, '.cache/types')

/** An export of a package. */
export interface TypesEntry {
  /** Declaration file to start from. */
  readonly entry: string
  readonly rolledUp: string
  /** Packages with global types that the declarations need. */
  readonly types: readonly string[]
  /** Folders or files of `#…` imports, as in a tsconfig. */
  readonly paths: Readonly<Record<string, readonly string[]>>
  /** Report of the API to compare with. `isUpdated` replaces it. */
  readonly report?: {
    readonly folder: string
    readonly temporaryFolder: string
    readonly name: string
    readonly isUpdated: boolean
  }
}

/**
 * Compiles the declarations of some projects.
 *
 * @throws The compiler failed. The message contains its output.
 */
export async function emitTypes(...projects: readonly string[]): Promise<void> {
  const tsc = join(projectRoot, 'node_modules/typescript/bin/tsc')
  const folders = projects.map((project) => join(projectRoot, project))
  await promisify(execFile)(process.execPath, [tsc, '-b', ...folders])
}

/** Writes the types of the server's package. */
export async function rollUpServerTypes(): Promise<void> {
  await emitTypes('src/server')
  rollUp({
    entry: join(emittedTypes, 'server/index.d.ts'),
    rolledUp: join(projectRoot, 'dist/server/index.d.ts'),
    types: ['node'],
    paths: { '#*': [join(emittedTypes, '*')] },
  })
}

/**
 * Writes one declaration file without any `#…` import for an export of a package.
 *
 * TypeScript 7 cannot be called from JavaScript, so api-extractor reads the output of `tsc -b` with its own
 * TypeScript.
 *
 * @throws api-extractor failed, or the report differs. The message contains its output.
 */
export function rollUp(target: TypesEntry): void {
  const messages: string[] = []
  const config = ExtractorConfig.prepare({
    configObject: configOf(target),
    configObjectFullPath: undefined,
    packageJsonFullPath: join(projectRoot, 'package.json'),
  })
  const result = Extractor.invoke(config, {
    localBuild: target.report?.isUpdated ?? true,
    messageCallback: (message) => {
      if (message.logLevel === 'error' || message.logLevel === 'warning') {
        messages.push(message.text)
      }
      message.handled = true
    },
  })
  if (!result.succeeded) {
    throw new Error(`The types of ${target.entry} could not be rolled up.\n${messages.join('\n')}`)
  }
}

const configOf = ({ entry, rolledUp, types, paths, report }: TypesEntry): IConfigFile => ({
  projectFolder: projectRoot,
  newlineKind: 'lf',
  mainEntryPointFilePath: entry,
  compiler: {
    overrideTsconfig: {
      compilerOptions: {
        target: 'ES2024',
        module: 'ESNext',
        moduleResolution: 'bundler',
        lib: ['ES2024', 'ESNext.Disposable', 'WebWorker'],
        types,
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: true,
        noEmit: true,
        allowImportingTsExtensions: true,
        paths,
      },
      files: [entry],
    },
  },
  apiReport: {
    enabled: report !== undefined,
    ...(report && {
      reportFolder: report.folder,
      reportTempFolder: report.temporaryFolder,
      reportFileName: report.name,
    }),
  },
  docModel: { enabled: false },
  tsdocMetadata: { enabled: false },
  dtsRollup: { enabled: true, untrimmedFilePath: rolledUp },
  messages: {
    compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
    // This project does not follow api-extractor's documentation rules.
    extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
    tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
  },
})
