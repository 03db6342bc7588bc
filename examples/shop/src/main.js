/** The shop as a process: settings from the environment, and a clean shutdown. */
import { startShop } from './shop.js';

/** @param {string} name */
function need(name) {
  const value = process.env[name];
  if (value) return value;
  console.error(`${name} is not set. See the table of settings in README.md.`);
  process.exit(2);
}

const { PORT = '3000', HOST, PUBLIC_URL, SHOP_WEBHOOK_SECRET, SHOP_FILE } = process.env;

const shop = await startShop({
  baseUrl: need('MESSAGING_BASE_URL').replace(/\/$/, ''),
  apiKey: need('MESSAGING_API_KEY'),
  port: Number(PORT),
  ...(HOST && { host: HOST }),
  ...(PUBLIC_URL && { publicUrl: PUBLIC_URL.replace(/\/$/, '') }),
  ...(SHOP_WEBHOOK_SECRET && { webhookSecret: SHOP_WEBHOOK_SECRET }),
  ...(SHOP_FILE && { file: SHOP_FILE }),
  log: (line) => console.error(line),
});
console.log(`shop listening on ${shop.url}`);

for (const signal of ['SIGTERM', 'SIGINT']) {
  process.once(signal, () => {
    void shop.close().then(() => process.exit(0));
  });
}
