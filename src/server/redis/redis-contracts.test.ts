import { describe, inject } from 'vitest'
import { openProcess } from '#testing/engines/redis-coordination.ts'
import { testArchiveTickets } from '#testing/ports/archive-tickets-contract.ts'
import { testEventBus } from '#testing/ports/event-bus-contract.ts'
import { testRequestLimits } from '#testing/ports/request-limits-contract.ts'
import { testSocketPlaces } from '#testing/ports/socket-places-contract.ts'

const open = () => openProcess(inject('redisUrl'))

describe('limits in Redis', () => testRequestLimits(open))

describe('tickets in Redis', () => testArchiveTickets(open))

describe('places of sockets in Redis', () => testSocketPlaces(async () => (await open()).sockets))

describe('the bus of Redis', () => testEventBus(open))
