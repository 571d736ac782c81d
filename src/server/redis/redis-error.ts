/** Reason why Redis cannot be used, with a remedy, in one line for the user. */
export class RedisError extends Error {
  override readonly name = 'RedisError'
}

/** Answers of Redis that have a remedy, by the word that begins them. */
const answers: readonly [answer: RegExp, reason: string][] = [
  [/^WRONGPASS|invalid password/i, 'does not accept the user or the password. Correct --redis.'],
  [/^NOAUTH/, 'needs a password. Add it: --redis redis://:password@host:6379'],
  [/^READONLY/, 'is a replica and accepts no changes. Give --redis the primary.'],
  [/^OOM/, 'has no memory left. Raise its maxmemory.'],
  [/^LOADING/, 'still loads its data. Start Tessera again in a moment.'],
  [/^MISCONF/, 'cannot save to its disk and accepts no changes. Read its log.'],
  [/^DENIED/, 'accepts only local connections until it has a password. Set one there.'],
  [/DB index is out of range/, 'has no database of this number. Correct the path of --redis.'],
  [/^Protocol error|^Unknown RESP type/, 'is not a Redis. Correct --redis.'],
  [/unable to verify|self.signed|certificate/i, 'has a certificate that is not trusted.'],
]

const networkReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'does not answer. Start Redis, or correct --redis.',
  ETIMEDOUT: 'does not answer. Start Redis, or correct --redis.',
  ECONNRESET: 'closes the connection. It may need TLS: rediss://',
  ENOTFOUND: 'is unknown. Correct the host in --redis.',
  EAI_AGAIN: 'is unknown. Correct the host in --redis.',
}

const mayNot = (user: string): string =>
  `does not let ${user} run all commands. Allow them: ACL SETUSER ${user} ~tessera:* &tessera:* +@all -@admin`

const SILENT = 'does not answer as a Redis. Correct --redis.'

/** Returns why Redis cannot be used, with a remedy. Never contains the password. */
export const reasonOf = (url: string, error: unknown): string => {
  const { host, username } = new URL(url)
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const answered = /^NOPERM/.test(message)
    ? mayNot(decodeURIComponent(username) || 'default')
    : answers.find(([answer]) => answer.test(message))?.[1]
  const isClosed = /^Connection is closed/.test(message)
  const other = isClosed ? SILENT : `cannot be used: ${message}`
  return `Redis at ${host} ${answered ?? networkReasons[code] ?? other}`
}
