// What hosts have instead of Linux's congestion control, where the thesis switched it off.
#pragma once

#include "ns3/internet-module.h"

namespace daqfabric
{

/// A congestion window that is always the same, also after losses (thesis, 4.5.2.1). After a timeout TCP itself sends one segment
/// first; the next acknowledgement opens the window again.
class StaticWindow : public ns3::TcpNewReno
{
  public:
    static ns3::TypeId GetTypeId()
    {
        static ns3::TypeId id =
            ns3::TypeId("daqfabric::StaticWindow").SetParent<ns3::TcpNewReno>().AddConstructor<StaticWindow>();
        return id;
    }

    std::string GetName() const override
    {
        return "StaticWindow";
    }

    void IncreaseWindow(ns3::Ptr<ns3::TcpSocketState> state, uint32_t) override
    {
        state->m_cWnd = segments * state->m_segmentSize;
    }

    uint32_t GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> state, uint32_t) override
    {
        return segments * state->m_segmentSize;
    }

    ns3::Ptr<ns3::TcpCongestionOps> Fork() override
    {
        return ns3::CopyObject<StaticWindow>(this);
    }

    static inline uint32_t segments = 1000;
};

} // namespace daqfabric
