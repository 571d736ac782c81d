import { expect, test } from 'vitest'
import { contentDisposition } from './content-disposition.ts'

test.each([
  ['cat.png', 'attachment; filename="cat.png"'],
  ['Käse (1).png', `attachment; filename="K_se (1).png"; filename*=UTF-8''K%C3%A4se%20%281%29.png`],
  ['a"b\r\nSet-Cookie: x.png', 'attachment; filename="a_b__Set-Cookie_ x.png"'],
  ['../../etc/passwd', 'attachment; filename=".._.._etc_passwd"'],
  ['\u202Egnp.exe', 'attachment; filename="_gnp.exe"'],
])('sends %j as %s', (name, header) => {
  expect(contentDisposition('attachment', name)).toBe(header)
})
