import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { endProcess, findProgram, freePort, untilReady } from './engine-process.ts'

const run = promisify(execFile)

const PROGRAM = 'versitygw'
const MODULE = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0'
const BUCKET = 'tessera'

/** Credentials of every test server. A test gets them by its environment, as a user would give them. */
export const s3Credentials = {
  AWS_ACCESS_KEY_ID: 'tessera-test',
  AWS_SECRET_ACCESS_KEY: 'not-a-secret',
}

/** Returns the path of an S3 server, which is installed with Go if necessary. null: neither is on this machine. */
export const findS3Program = async (): Promise<string | null> => {
  const found = await findProgram([PROGRAM])
  if (found !== null) return found
  const go = await goProgram()
  if (go === null) return null
  const { stdout } = await run(go, ['env', 'GOBIN', 'GOPATH'])
  const [bin = '', goPath = ''] = stdout.split(/\r?\n/)
  const folder = bin === '' ? join(goPath, 'bin') : bin
  const installed = await findProgram([PROGRAM], [folder])
  if (installed !== null) return installed
  return run(go, ['install', MODULE]).then(
    () => join(folder, PROGRAM),
    () => null,
  )
}

const goProgram = async (): Promise<string | null> => {
  for (const go of ['go', '/usr/local/go/bin/go']) {
    const isThere = await run(go, ['version']).catch(() => null)
    if (isThere !== null) return go
  }
  return null
}

export interface S3Server {
  /** A bucket, as for `--files`. */
  url: string
  stop(): Promise<void>
}

/** Starts an S3 server with one empty bucket in a temporary folder. */
export const startS3Server = async (program: string): Promise<S3Server> => {
  const folder = await createTemporaryFolder()
  const [root, meta] = [join(folder, 'root'), join(folder, 'meta')]
  await mkdir(join(root, BUCKET), { recursive: true })
  await mkdir(meta)
  const endpoint = `http://127.0.0.1:${await freePort()}`
  // Metadata in a folder, because not every file system has extended attributes.
  const args = ['--port', new URL(endpoint).host, '--health', '/health', '--quiet']
  const child = spawn(program, [...args, 'posix', '--sidecar', meta, root], {
    env: {
      ...process.env,
      ROOT_ACCESS_KEY_ID: s3Credentials.AWS_ACCESS_KEY_ID,
      ROOT_SECRET_ACCESS_KEY: s3Credentials.AWS_SECRET_ACCESS_KEY,
    },
    stdio: 'ignore',
  })
  const stop = async () => {
    await endProcess(child, 'SIGTERM')
    await removeFolder(folder)
  }
  try {
    await untilReady(
      'S3',
      () => answers(`${endpoint}/health`),
      () => child.exitCode !== null,
    )
  } catch (error) {
    await stop()
    throw error
  }
  return { url: `s3://${BUCKET}?endpoint=${endpoint}&region=us-east-1`, stop }
}

/** Returns the URL with a new prefix, so that each test has an empty store. */
export const emptyStore = (url: string): string => url.replace('?', `/${randomUUID()}?`)

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
