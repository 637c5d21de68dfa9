// Hosts whose TCP never has to send anything again. They put the same packets on the network as those of hosts.h as long as nothing
// is lost and a fragment fits into the initial window, at a tenth of the effort: so a whole farm can be simulated.
#pragma once

#include "hosts.h"

namespace daqfabric
{

constexpr uint32_t SEGMENT = 1460;
constexpr uint32_t HEADERS = 40;
constexpr int64_t ACKNOWLEDGED_AFTER = 40000000; // ns, without a second segment or something to send

/// A host's end of all its connections.
class StreamHost
{
  public:
    StreamHost(uint32_t index, Switch* edge, Switch::Deliver deliver)
        : m_index(index),
          m_edge(edge),
          m_deliver(std::move(deliver))
    {
        edge->SetHost(index, &m_deliver);
    }

    void Send(uint32_t to, uint32_t payload) const
    {
        m_edge->Receive({nullptr, to, payload + HEADERS, m_index});
    }

  private:
    const uint32_t m_index;
    Switch* m_edge;
    const Switch::Deliver m_deliver;
};

/// Ros without losses.
class StreamRos
{
  public:
    StreamRos(uint32_t index, Switch* edge)
        : m_host(index, edge, [this](const Frame& frame) { Receive(frame); })
    {
    }

  private:
    void Receive(const Frame& frame)
    {
        if (frame.bytes == HEADERS)
        {
            return;
        }
        if (frame.from >= m_known.size())
        {
            m_known.resize(frame.from + 1);
        }
        if (!m_known[frame.from])
        {
            m_known[frame.from] = true;
            m_host.Send(frame.from, 0); // ns-3 acknowledges a connection's first packet at once, others by the answer
        }
        m_free = std::max(m_free, Now()) + AtRandom(traffic.service);
        ns3::Simulator::Schedule(ns3::NanoSeconds(m_free - Now()), &StreamRos::Answer, this, frame.from);
    }

    void Answer(uint32_t to)
    {
        for (uint32_t sent = 0; sent < traffic.fragment; sent += SEGMENT)
        {
            m_host.Send(to, std::min(SEGMENT, traffic.fragment - sent));
        }
    }

    StreamHost m_host;
    std::vector<bool> m_known;
    int64_t m_free = 0;
};

/// Dcm without losses. Its connections are there from the beginning.
class StreamDcm
{
  public:
    StreamDcm(uint32_t index, Switch* edge, const std::vector<uint32_t>& sources)
        : m_host(index, edge, [this](const Frame& frame) { Receive(frame); }),
          m_sources(sources),
          m_connections(sources.size())
    {
        for (uint32_t i = 0; i < sources.size(); i++)
        {
            m_numbers.resize(std::max<size_t>(m_numbers.size(), sources[i] + 1));
            m_numbers[sources[i]] = i;
        }
        ns3::Simulator::Schedule(ns3::NanoSeconds(AtRandom(traffic.spread)), &StreamDcm::Begin, this);
    }

  private:
    struct Connection
    {
        uint32_t missing = 0; // bytes of the event
        uint32_t owed = 0;    // segments that have not been acknowledged
        uint32_t sent = 0;    // packets
    };

    void Begin()
    {
        m_started = Now();
        m_complete = 0;
        m_requested = 0;
        m_first = AtRandom(m_sources.size());
        for (Connection& each : m_connections)
        {
            each.missing = traffic.fragment;
        }
        size_t n = traffic.credits ? std::min<size_t>(traffic.credits, m_sources.size()) : m_sources.size();
        while (n-- > 0)
        {
            Request();
        }
    }

    void Request()
    {
        Send((m_first + m_requested++) % m_sources.size(), traffic.request);
    }

    void Send(uint32_t i, uint32_t payload)
    {
        m_connections[i].owed = 0;
        m_connections[i].sent++;
        m_host.Send(m_sources[i], payload);
    }

    void Receive(const Frame& frame)
    {
        const uint32_t payload = frame.bytes - HEADERS;
        if (payload == 0)
        {
            return;
        }
        const uint32_t i = m_numbers[frame.from];
        Connection& connection = m_connections[i];
        connection.missing -= payload;
        counters.received += Now() >= countFrom ? payload : 0;
        if (++connection.owed == 2)
        {
            Send(i, 0);
        }
        else
        {
            ns3::Simulator::Schedule(ns3::NanoSeconds(ACKNOWLEDGED_AFTER), &StreamDcm::Acknowledge, this, i, connection.sent);
        }
        if (connection.missing > 0)
        {
            return;
        }
        if (m_requested < m_sources.size())
        {
            Request();
        }
        if (++m_complete == m_sources.size())
        {
            if (Now() >= countFrom)
            {
                counters.latencies.push_back(Now() - m_started);
            }
            Begin();
        }
    }

    void Acknowledge(uint32_t i, uint32_t sent)
    {
        if (m_connections[i].sent == sent && m_connections[i].owed > 0)
        {
            Send(i, 0);
        }
    }

    StreamHost m_host;
    const std::vector<uint32_t> m_sources;
    std::vector<uint32_t> m_numbers; // by index of the ROS: its connection
    std::vector<Connection> m_connections;
    size_t m_complete = 0;
    size_t m_requested = 0;
    size_t m_first = 0;
    int64_t m_started = 0;
};

} // namespace daqfabric
