import { testSocketPlaces } from '#testing/ports/socket-places-contract.ts'
import { LocalSocketPlaces } from './socket-places.ts'

testSocketPlaces(async () => new LocalSocketPlaces())
