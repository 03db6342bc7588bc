/**
 * The careless shop as a process, with the settings of the shop. It is meant to fail: see docs/scenarios-tutorial.md.
 */
import { startShop } from './shop.js';

const { MESSAGING_BASE_URL = '', MESSAGING_API_KEY = '', PORT = '3000' } = process.env;
const shop = await startShop({ baseUrl: MESSAGING_BASE_URL, apiKey: MESSAGING_API_KEY, port: Number(PORT) });
console.log(`careless shop listening on ${shop.url}`);
