import type { FastifyReply } from 'fastify'

/** Allows only the inline style of the notice. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

const notice = (title: string, html: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Tessera</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<style>
  body { font: 14px/1.6 system-ui, sans-serif; margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 16px; text-align: center }
  h1 { font-size: 20px; margin: 0 0 4px }
  p { margin: 0 auto; max-width: 44ch }
</style>
<h1>${title}</h1>
<p>${html}</p></html>`

/**
 * Sends a page that shows only a message, for a browser that cannot open the gallery now.
 *
 * @param html - Trusted HTML. It is not escaped.
 */
export const sendNotice = (reply: FastifyReply, title: string, html: string): FastifyReply =>
  reply
    .header('content-security-policy', policy)
    .type('text/html; charset=utf-8')
    .send(notice(title, html))
