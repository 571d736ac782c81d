import { globSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { projectRoot } from '#build/project-root.ts'
import { emitTypes, emittedTypes, rollUp } from '#build/roll-up-types.ts'
import { declareContract } from './contract-types.ts'

/** Members that only this library uses. Their types would add the transport and TypeBox to the package. */
const INTERNAL_CONSTRUCTOR = /\/\*\* @internal \*\/\s+constructor\([\s\S]*?\);/g
const INTERNAL_FIELD = /\/\*\* @internal \*\/\s+[^;]+;/g

/** Declares `Symbol.dispose` for programs that select an older library of TypeScript. */
const DISPOSABLE = '/// <reference lib="esnext.disposable" />\n'

/**
 * Writes the types of the client's package, and compares them with `src/client/client.api.md`.
 *
 * @param options.isApiUpdated - True replaces the report instead.
 * @throws The API differs from its report.
 */
export async function rollUpClientTypes(
  outFolder: string,
  { isApiUpdated = false }: { readonly isApiUpdated?: boolean } = {},
): Promise<void> {
  await emitTypes('src/client', 'src/client/node')
  const prepared = await mkdtemp(join(projectRoot, '.cache/client-types-'))
  await prepareClient(prepared)
  const contract = join(prepared, 'contract.d.ts')
  await writeFile(contract, await declareContract())
  rollUp({
    entry: join(prepared, 'client/index.d.ts'),
    rolledUp: join(outFolder, 'index.d.ts'),
    types: [],
    paths: { '#client/*': [join(prepared, 'client/*')], '#contract/*': [contract] },
    report: {
      folder: join(projectRoot, 'src/client'),
      temporaryFolder: prepared,
      name: 'client.api.md',
      isUpdated: isApiUpdated,
    },
  })
  const index = join(outFolder, 'index.d.ts')
  await writeFile(index, DISPOSABLE + (await readFile(index, 'utf8')))
  rollUp({
    entry: join(emittedTypes, 'client-node/open-file.d.ts'),
    rolledUp: join(outFolder, 'node.d.ts'),
    types: ['node'],
    paths: {},
  })
  await rm(prepared, { recursive: true })
}

/** Copies the declarations of the client without its internal members. */
async function prepareClient(prepared: string): Promise<void> {
  for (const file of globSync('client/**/*.d.ts', { cwd: emittedTypes })) {
    const text = await readFile(join(emittedTypes, file), 'utf8')
    const target = join(prepared, file)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(
      target,
      text.replace(INTERNAL_CONSTRUCTOR, 'protected constructor();').replace(INTERNAL_FIELD, ''),
    )
  }
}
