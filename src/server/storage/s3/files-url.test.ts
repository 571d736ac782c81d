import { expect, test } from 'vitest'
import { parseFilesUrl } from './files-url.ts'

test.each([
  ['s3://pictures', { bucket: 'pictures', prefix: '', endpoint: null, region: null }],
  ['s3://pictures/', { bucket: 'pictures', prefix: '', endpoint: null, region: null }],
  [
    's3://pictures.example/a/b-2/?region=eu-west-1',
    { bucket: 'pictures.example', prefix: 'a/b-2/', endpoint: null, region: 'eu-west-1' },
  ],
  [
    's3://pictures/x?endpoint=http://127.0.0.1:7070/&region=r',
    { bucket: 'pictures', prefix: 'x/', endpoint: 'http://127.0.0.1:7070', region: 'r' },
  ],
])('parses %s', (text, url) => {
  expect(parseFilesUrl(text)).toEqual(url)
})

test.each([
  ['', /looks like s3:/],
  ['pictures', /looks like s3:/],
  ['https://pictures.s3.amazonaws.com', /looks like s3:/],
  ['s3:///prefix', /names no bucket/],
  ['s3://Pictures', /no bucket name/],
  ['s3://pictures:80', /no bucket name/],
  ['s3://key:secret@pictures', /Credentials do not belong/],
  ['s3://pictures/a//b', /no prefix/],
  ['s3://pictures/a%2Fb', /no prefix/],
  ['s3://pictures/ä', /no prefix/],
  ['s3://pictures/#x', /#/],
  ['s3://pictures?endpoint=127.0.0.1:7070', /endpoint looks like/],
  ['s3://pictures?endpoint=ftp://example.org', /endpoint looks like/],
  ['s3://pictures?endpoint=https://example.org/path', /endpoint looks like/],
  ['s3://pictures?region=eu west', /no region/],
  ['s3://pictures?region=a&region=b', /given twice/],
  ['s3://pictures?acl=public', /“acl” is unknown/],
])('refuses %j', (text, reason) => {
  expect(() => parseFilesUrl(text)).toThrow(reason)
})
