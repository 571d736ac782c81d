import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { endProcess, findOrInstall, findProgram, freePort, untilReady } from './engine-process.ts'

export interface NginxServer {
  /** Without a trailing slash. */
  readonly url: string
  stop(): Promise<void>
}

/** Folders that nginx would create in those of the system. */
const BODIES = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

/**
 * Starts nginx in front of a server. By default it passes no upgrades of WebSockets, as in its simplest configuration.
 *
 * @param settings - Further lines of the `location`.
 * @throws If nginx is missing and cannot be installed.
 */
export async function startNginx(serverUrl: string, settings = ''): Promise<NginxServer> {
  const find = () => findProgram(['nginx'], ['/usr/sbin'])
  const program = await findOrInstall(find, 'nginx-light')
  if (program === null) throw new Error('nginx is missing (Debian: apt-get install nginx-light).')
  const folder = await createTemporaryFolder()
  const file = join(folder, 'nginx.conf')
  const host = `127.0.0.1:${await freePort()}`
  await writeFile(
    file,
    `daemon off;
    master_process off;
    pid ${folder}/nginx.pid;
    events {}
    http {
      access_log off;
      ${BODIES.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
      server {
        listen ${host};
        location / {
          proxy_pass ${serverUrl};
          proxy_set_header Host $http_host;
          ${settings}
        }
      }
    }`,
  )
  const output = process.env.DEBUG ? 'inherit' : 'ignore'
  const args = ['-p', folder, '-e', join(folder, 'error.log'), '-c', file]
  const child = spawn(program, args, { stdio: ['ignore', output, output] })
  const url = `http://${host}`
  const stop = async () => {
    await endProcess(child, 'SIGKILL')
    await removeFolder(folder)
  }
  const isAnswering = () =>
    fetch(url).then(
      () => true,
      () => false,
    )
  await untilReady('nginx', isAnswering, () => child.exitCode !== null)
  return { url, stop }
}

/** Returns the lines with which nginx passes on upgrades, as the documentation gives them. */
export async function documentedUpgrades(): Promise<string> {
  const page = await readFile(new URL('../../../docs/proxy.md', import.meta.url), 'utf8')
  const [, lines] = /```nginx\n(.*?)```/s.exec(page) ?? []
  if (lines === undefined) throw new Error('docs/proxy.md has no lines for nginx.')
  return lines
}
