import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** An address that leads to one port after another, as a virtual address or a proxy in front of a database does. */
export interface TcpSwitch {
  readonly port: number;
  /** Closes the connections, and leads new ones to another port of this machine. */
  leadTo(port: number): void;
  close(): Promise<void>;
}

export async function startTcpSwitch(first: number): Promise<TcpSwitch> {
  let target = first;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const onward = connect(target, '127.0.0.1');
    const both = [client, onward];
    for (const socket of both) {
      open.add(socket);
      socket.setNoDelay(true);
      // The other side learns that the connection is gone.
      socket.once('error', () => undefined);
      socket.once('close', () => {
        open.delete(socket);
        for (const each of both) each.destroy();
      });
    }
    client.pipe(onward).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const closeAll = () => {
    for (const socket of open) socket.destroy();
  };

  return {
    port: (server.address() as AddressInfo).port,
    leadTo(port) {
      target = port;
      closeAll();
    },
    async close() {
      closeAll();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
