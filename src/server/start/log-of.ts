import { type Logger, pino, stdTimeFunctions } from 'pino'
import pretty from 'pino-pretty'
import type { Settings } from './settings.ts'

/** Both formats have the same lines. Fields that the text of a line repeats are only in JSON. */
export const logOf = ({ logLevel, logFormat }: Settings): Logger =>
  logFormat === 'json'
    ? pino({ level: logLevel, timestamp: stdTimeFunctions.isoTime })
    : pino(
        { level: logLevel },
        pretty({
          colorize: process.stdout.isTTY,
          sync: true,
          ignore: 'pid,hostname,method,route,status,ms',
        }),
      )
