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
const emitted = join(projectRoot, '.cache/types')

/** The exports of the package: the declaration from `tsc -b`, and the target of its roll-up. */
const doors = [
  { entry: 'client/index.d.ts', rolledUp: 'dist/client/index.d.ts', types: [] },
  {
    entry: 'client-node/open-file.d.ts',
    rolledUp: 'dist/client/node/open-file.d.ts',
    types: ['node'],
  },
  { entry: 'server/index.d.ts', rolledUp: 'dist/server/index.d.ts', types: ['node'] },
]

/**
 * Writes one declaration file for each export of the package, without any `#…` import.
 *
 * TypeScript 7 cannot be called from JavaScript, so api-extractor reads the output of `tsc -b` with its own
 * TypeScript.
 *
 * @throws The compiler or api-extractor failed. The message contains its output.
 */
export async function rollUpTypes(): Promise<void> {
  const tsc = join(projectRoot, 'node_modules/typescript/bin/tsc')
  const projects = ['src/client', 'src/client/node', 'src/server'].map((p) => join(projectRoot, p))
  await promisify(execFile)(process.execPath, [tsc, '-b', ...projects])
  for (const door of doors) rollUp(door)
}

function rollUp({ entry, rolledUp, types }: (typeof doors)[number]): void {
  const messages: string[] = []
  const config = ExtractorConfig.prepare({
    configObject: configOf(join(emitted, entry), join(projectRoot, rolledUp), types),
    configObjectFullPath: undefined,
    packageJsonFullPath: join(projectRoot, 'package.json'),
  })
  const result = Extractor.invoke(config, {
    localBuild: true,
    messageCallback: (message) => {
      if (message.logLevel === 'error') messages.push(message.text)
      message.handled = true
    },
  })
  if (!result.succeeded) {
    throw new Error(`The types of ${entry} could not be rolled up.\n${messages.join('\n')}`)
  }
}

const configOf = (entryFile: string, rolledUpFile: string, types: string[]): IConfigFile => ({
  projectFolder: projectRoot,
  mainEntryPointFilePath: entryFile,
  compiler: {
    overrideTsconfig: {
      compilerOptions: {
        target: 'ES2024',
        module: 'ESNext',
        moduleResolution: 'bundler',
        lib: ['ES2024', 'WebWorker'],
        types,
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: true,
        noEmit: true,
        allowImportingTsExtensions: true,
        paths: { '#*': [join(emitted, '*')] },
      },
      files: [entryFile],
    },
  },
  apiReport: { enabled: false },
  docModel: { enabled: false },
  tsdocMetadata: { enabled: false },
  dtsRollup: { enabled: true, untrimmedFilePath: rolledUpFile },
  messages: {
    compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
    // This project does not follow api-extractor's documentation rules.
    extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
    tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
  },
})
