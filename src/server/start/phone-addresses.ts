import type { NetworkInterfaceInfo } from 'node:os'
import { isLoopback } from './settings.ts'

/** Hosts that stand for all addresses of this machine. */
const allAddresses: readonly string[] = ['0.0.0.0', '::']

/**
 * Where a phone in the same network finds a server.
 *
 * @param address - Where it listens: `http://192.168.1.5:9091`.
 * @param host - What it was told to listen on.
 * @param interfaces - This machine's, as `os.networkInterfaces` lists them.
 * @returns Addresses without a slash at the end; none where only this machine can reach it.
 */
export function phoneAddresses(
  address: string,
  host: string,
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>,
): string[] {
  if (isLoopback(host)) return []
  if (!allAddresses.includes(host)) return [address]
  const { port } = new URL(address)
  return Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map((found) => `http://${found.address}:${port}`)
}
