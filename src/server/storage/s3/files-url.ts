/** The bucket of a library and its server. */
export interface FilesUrl {
  bucket: string
  /** Empty, or ends with a slash. */
  prefix: string
  /** Origin of an S3 server other than AWS. */
  endpoint: string | null
  region: string | null
}

/** The URL of a store is invalid. The message tells the user why, in one sentence. */
export class FilesUrlError extends Error {
  override readonly name = 'FilesUrlError'
}

const EXAMPLE = 's3://bucket/prefix?endpoint=https://s3.example.org&region=eu-west-1'

/** Bucket names of AWS. Other servers accept no more. */
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

/** Characters that S3 and all tools accept in a key without encoding. */
const prefixSegment = /^[A-Za-z0-9!_.*'()-]+$/

/** @throws {FilesUrlError} */
export const parseFilesUrl = (text: string): FilesUrl => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 's3:') throw new FilesUrlError(`It looks like ${EXAMPLE}.`)
  if (url.username !== '' || url.password !== '') {
    throw new FilesUrlError(
      'Credentials do not belong in the URL: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    )
  }
  if (url.host === '') throw new FilesUrlError(`It names no bucket: it looks like ${EXAMPLE}.`)
  if (!bucketName.test(url.host)) throw new FilesUrlError(`“${url.host}” is no bucket name.`)
  if (url.hash !== '') throw new FilesUrlError('It must not contain #.')
  const { endpoint = null, region = null } = parametersOf(url)
  if (region !== null && !/^[a-z0-9-]+$/i.test(region)) {
    throw new FilesUrlError(`“${region}” is no region.`)
  }
  return { bucket: url.host, prefix: prefixOf(url), endpoint: endpointOf(endpoint), region }
}

const parametersOf = ({ searchParams }: URL): { endpoint?: string; region?: string } => {
  const names = [...searchParams.keys()]
  const stranger = names.find((name) => name !== 'endpoint' && name !== 'region')
  if (stranger !== undefined) {
    throw new FilesUrlError(`“${stranger}” is unknown: the parameters are endpoint and region.`)
  }
  if (new Set(names).size < names.length) throw new FilesUrlError('A parameter is given twice.')
  return Object.fromEntries(searchParams)
}

const prefixOf = ({ pathname }: URL): string => {
  const segments = pathname.replace(/^\//, '').replace(/\/$/, '').split('/')
  if (segments.length === 1 && segments[0] === '') return ''
  if (!segments.every((segment) => prefixSegment.test(segment))) {
    throw new FilesUrlError(`“${pathname}” is no prefix: use letters, digits, -, _ and ., and /.`)
  }
  return `${segments.join('/')}/`
}

const endpointOf = (text: string | null): string | null => {
  if (text === null) return null
  const url = URL.canParse(text) ? new URL(text) : null
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (url === null || !isHttp || ![url.origin, `${url.origin}/`].includes(text)) {
    throw new FilesUrlError('An endpoint looks like https://s3.example.org, without a path.')
  }
  return url.origin
}
