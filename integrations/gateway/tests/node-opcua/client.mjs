// A client of OPC UA by node-opcua: node client.mjs URL NAME... Subscribes to these values of the gateway, and prints what it is told
// of each as a line of JSON: name, status and value. A name on standard input is read, and printed with `read`. The end of standard
// input ends it. NODE_OPCUA is the folder into which npm has brought node-opcua (scripts/gateway).
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

console.log = console.error; // node-opcua writes its warnings there
const { AttributeIds, ClientMonitoredItem, DataType, OPCUAClient, TimestampsToReturn } =
  createRequire(`${process.env.NODE_OPCUA}/`)('node-opcua-client');

const [url, ...names] = process.argv.slice(2);
const attribute = (name) => ({ nodeId: `ns=2;s=${name}`, attributeId: AttributeIds.Value });

/** node-opcua has integers of 64 bits as two of 32. */
function plain({ dataType, value }) {
  return dataType === DataType.Int64 ? Number(BigInt.asIntN(64, (BigInt(value[0]) << 32n) | BigInt(value[1]))) : value;
}

function print(name, data, more) {
  process.stdout.write(`${JSON.stringify({ name, status: data.statusCode.name, value: plain(data.value), ...more })}\n`);
}

const client = OPCUAClient.create({ connectionStrategy: { maxRetry: 1 } });
await client.connect(url);
const session = await client.createSession();
const subscription = await session.createSubscription2({
  requestedPublishingInterval: 50, requestedLifetimeCount: 6000, requestedMaxKeepAliveCount: 100, publishingEnabled: true,
});
for (const name of names) {
  const item = ClientMonitoredItem.create(subscription, attribute(name), { samplingInterval: 0, queueSize: 100 }, TimestampsToReturn.Both);
  item.on('changed', (data) => print(name, data));
  item.on('err', (message) => print(name, { statusCode: { name: message }, value: {} }));
}
for await (const name of createInterface({ input: process.stdin })) {
  print(name, await session.read(attribute(name)), { read: true });
}
await subscription.terminate();
await session.close();
await client.disconnect();
