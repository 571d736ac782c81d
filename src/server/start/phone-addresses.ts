import type { NetworkInterfaceInfo } from 'node:os'
import { isLoopback } from './settings.ts'

/** Wildcard hosts, which listen on all addresses of this machine. */
const allAddresses: readonly string[] = ['0.0.0.0', '::']

/** Returns the addresses of a server for a phone in the same network; empty if only this machine can reach it. */
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
